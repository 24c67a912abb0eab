/** The height of a row in pixels. The style sheet has the same value. */
export const rowHeight = 22
