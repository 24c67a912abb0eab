import { parseArgs } from 'node:util'

const usage = `usage: npm run soak -- [options]

  --minutes <n>   how long things go wrong (default: 5)
  --seed <n>      what goes wrong when: a whole number from 0 to 4294967295 (default: another one each time)
  --plan-only     print what would happen, and end
  --help          this text`

/** What is asked for. */
export interface SoakCommand {
  readonly minutes: number
  readonly seed: number
  readonly planOnly: boolean
}

/** What is asked for. Ends the process with 2 where it is nothing we know. */
export function readCommandLine(args: readonly string[]): SoakCommand {
  try {
    const { values } = parseArgs({ args: [...args], options })
    if (values.help === true) return end(usage, 0)
    return {
      minutes: numberOf('minutes', values.minutes ?? '5', (minutes) => minutes > 0),
      seed: numberOf('seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 32)), isSeed),
      planOnly: values['plan-only'] ?? false,
    }
  } catch (error) {
    return end(`${(error as Error).message}\n\n${usage}`, 2)
  }
}

const options = {
  minutes: { type: 'string' },
  seed: { type: 'string' },
  'plan-only': { type: 'boolean' },
  help: { type: 'boolean' },
} as const

function isSeed(seed: number): boolean {
  return Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32
}

function numberOf(name: string, text: string, isRight: (value: number) => boolean): number {
  const value = text.trim() === '' ? NaN : Number(text)
  if (!Number.isFinite(value) || !isRight(value)) throw new Error(`--${name}: ${text} will not do`)
  return value
}

function end(text: string, code: number): never {
  if (code === 0) console.log(text)
  else console.error(text)
  process.exit(code)
}
