/** Grey in the middle, which reads on a light page and on a dark one; the background is the page's. */
export const ink = '#7d8590'
export const faint = '#7d859055'
export const ours = '#2f81f7'

/** For those beside us, in order; told apart on both backgrounds. */
export const theirs = ['#d29922', '#3fb950', '#a371f7', '#f85149', '#db61a2', '#39c5cf', '#9e6a03', '#8b949e'] as const

export const text = { color: ink, fontFamily: 'sans-serif', fontSize: 12 } as const

/** A picture that stands still and is the same each time. */
export const still = { animation: false, textStyle: text } as const

export const width = 760
