/**
 * Returns the number that is probably meant by a string, as it is written in a program. The string is a number without a unit (`'500'`),
 * or with a unit of the option: `5000` for `'5s'` if its name ends in `Millis`, `10000000` for `'10 MB'` if it is a size in bytes. For the
 * option `mode` it has octal digits: `0o644` for `'0644'`. Returns undefined for any other string. The number may be one that the option
 * does not accept.
 *
 * @param where - the path of the option
 */
export function suggestedNumber(value: string, where: string): string | undefined {
  if (/(?:^|\.)mode$/.test(where)) {
    const digits = /^\s*(?:0o?)?([0-7]{3,4})\s*$/i.exec(value)?.[1]
    return digits === undefined ? undefined : `0o${digits}`
  }
  const [, digits, unit = ''] = /^\s*(\d{1,12})\s*([a-z]{0,2})\s*$/i.exec(value) ?? []
  const factor = unit === '' ? 1 : unitsOf(where)?.get(unit.toLowerCase())
  return digits === undefined || factor === undefined ? undefined : String(Number(digits) * factor)
}

/** Returns the factors of the units of an option; undefined if its numbers have none, as those of `maxQueueSize`, which counts records. */
function unitsOf(where: string): ReadonlyMap<string, number> | undefined {
  if (/millis$/i.test(where)) return millisOf
  return /bytes$/i.test(where) || /(?:^|\.)(?:max)?size$/.test(where) ? bytesOf : undefined
}

const millisOf: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

const bytesOf: ReadonlyMap<string, number> = new Map([
  ['b', 1],
  ['k', 1_000],
  ['kb', 1_000],
  ['m', 1_000_000],
  ['mb', 1_000_000],
  ['g', 1_000_000_000],
  ['gb', 1_000_000_000],
])
