/** Creates flat strings before the timed part. V8 stores `a${b}c` as a tree until the string is read. */
function flat(count: number, text: (index: number) => string): readonly string[] {
  return JSON.parse(JSON.stringify(Array.from({ length: count }, (_, index) => text(index)))) as string[]
}

export const messages = flat(1_000, (index) => `order ${1_000 + index} was placed and paid`)
export const paths = flat(64, (index) => `/api/orders/${4_000 + index}/items`)
export const names = flat(64, (index) => `customer-${100 + index}`)
export const secrets = flat(64, (index) => `secret-${200 + index}`)
export const longTexts = flat(64, (index) => `line ${index} with "quoted",\n`.repeat(100).slice(0, 2_000))
