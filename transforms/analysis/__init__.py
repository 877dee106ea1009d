"""What passes find out about IR: dominance, shapes, ranges of integers, accesses; and the verifier."""
