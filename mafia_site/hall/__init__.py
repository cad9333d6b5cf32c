"""The site in a tournament's hall: over HTTPS on the local network, for phones that are told once to trust it."""
