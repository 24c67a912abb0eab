/** The rows of a block. The page keeps rows in blocks, whose positions are multiples of this. */
export const blockRows = 100
