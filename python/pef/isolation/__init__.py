"""What target code may do to the machine, and what is known of it when it has died.

Policy and its two layers (an audit hook for good messages, the kernel for the guarantee), limits,
and signs of life. Nothing here knows of exploration, findings or reports. Rooms that run target
code come here; those that merely watch it need not.
"""
