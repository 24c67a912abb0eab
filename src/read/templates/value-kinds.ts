/** The kinds of values that a template replaces, as bits. */
export const valueKinds = {
  num: 1,
  hex: 2,
  id: 4,
  uuid: 8,
  ip: 16,
  time: 32,
  quoted: 64,
  email: 128,
  query: 256,
} as const
