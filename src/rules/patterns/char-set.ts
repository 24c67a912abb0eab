/** Characters as ranges of code points, in order and apart from each other. */
export type CharSet = readonly (readonly [from: number, to: number])[]

const last = 0x10ffff
/** Every character. */
export const anyChar: CharSet = [[0, last]]

const digit: CharSet = [[48, 57]]
const word: CharSet = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
]
/** WhiteSpace and LineTerminator of ECMAScript. */
const space: CharSet = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]

/** What a class escape such as `\d` stands for; undefined for a letter that is none. */
export function escapeSet(letter: string): CharSet | undefined {
  const set = { d: digit, w: word, s: space }[letter.toLowerCase()]
  if (set === undefined) return undefined
  return letter === letter.toLowerCase() ? set : complement(set)
}

export function complement(set: CharSet): CharSet {
  const others: [number, number][] = []
  let from = 0
  for (const [first, end] of set) {
    if (first > from) others.push([from, first - 1])
    from = end + 1
  }
  if (from <= last) others.push([from, last])
  return others
}

export function unionSet(sets: readonly CharSet[]): CharSet {
  const all: [number, number][] = []
  for (const [from, to] of sets.flat().toSorted((one, other) => one[0] - other[0])) {
    const before = all.at(-1)
    if (before !== undefined && from <= before[1] + 1) before[1] = Math.max(before[1], to)
    else all.push([from, to])
  }
  return all
}

export function intersects(one: CharSet, other: CharSet): boolean {
  return one.some(([from, to]) => other.some(([first, end]) => first <= to && end >= from))
}

/** The same in both cases. What is not ASCII has cases of its own, in both directions: any of it stands for all. */
export function ignoringCase(set: CharSet): CharSet {
  const letters = set.flatMap(([from, to]) => [...shifted(from, to, 65, 90, 32), ...shifted(from, to, 97, 122, -32)])
  const others: CharSet = set.some(([, to]) => to > 127) || letters.length > 0 ? [[128, last]] : []
  return unionSet([set, letters, others])
}

function shifted(from: number, to: number, first: number, end: number, by: number): [number, number][] {
  const low = Math.max(from, first)
  const high = Math.min(to, end)
  return low > high ? [] : [[low + by, high + by]]
}
