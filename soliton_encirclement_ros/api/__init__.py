"""What Python and notebooks use: flights, sweeps and orders, by the functions of the commands."""
