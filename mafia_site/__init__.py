"""The site: settings, addresses and the server's entry point. Wiring only."""
