"""The simulated radio: who hears whom, how late, and what is lost or falsified."""
