"""The simulated radio: reception, delay, loss and falsification of messages."""
