/** A gray that has enough contrast on light and dark pages, because the background is transparent. */
export const ink = '#6e7781'
export const faint = '#6e778180'
export const ours = '#2f81f7'

/** The colors of the other subjects in order, each with enough contrast on light and dark pages. */
export const theirs = ['#9e6a03', '#1f8a3b', '#8957e5', '#da3633', '#bf4b8a', '#1b7c83', '#6e7781', '#57606a'] as const

export const text = { color: ink, fontFamily: 'sans-serif', fontSize: 12 } as const

/** Without animation, the image is the same each time. */
export const still = { animation: false, textStyle: text } as const

export const width = 760
