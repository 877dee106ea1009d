"""Operations on quantized numbers."""
