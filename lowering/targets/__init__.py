"""From the kernel level to the code of a target: conversion and emitter side by side."""
