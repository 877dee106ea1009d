"""Lowers the kernel level to the code of each target: conversion and emitter stand side by side."""
