"""Loading plug-ins: finding them, running their `register`, and looking at what they bring."""
