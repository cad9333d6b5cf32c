"""Who sits where, and how good a seating is.

Players, rounds and tables are numbered from 0, seats too (seat 0 is game seat 1). A *game* is ten players at one table
in one round; a player whom a round leaves over sits it out. Two players *meet* when they play the same game.

The work goes in two parts. `meetings` decides who plays whom and leaves seats alone; `neighbours` decides seats and
leaves meetings alone. Chance comes from outside as a function that gives numbers from 0 to 1, so the same chance gives
the same seating everywhere; the clock stays outside too: whoever draws is asked after every step whether to go on.
"""
