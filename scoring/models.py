"""What scoring stores."""
