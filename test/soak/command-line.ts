import { parseArgs } from 'node:util'

const usage = `usage: npm run soak -- [options]

  --minutes <n>   duration of the faults (default: 5)
  --seed <n>      seed of the faults: an integer from 0 to 4294967295 (default: random)
  --plan-only     print the plan and exit
  --help          this text`

/** The options of the command. */
export interface SoakCommand {
  readonly minutes: number
  readonly seed: number
  readonly planOnly: boolean
}

/** Parses the options. Exits with code 2 if they are invalid. */
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

function numberOf(name: string, text: string, isValid: (value: number) => boolean): number {
  const value = text.trim() === '' ? NaN : Number(text)
  if (!Number.isFinite(value) || !isValid(value)) throw new Error(`--${name}: invalid value ${text}`)
  return value
}

function end(text: string, code: number): never {
  if (code === 0) console.log(text)
  else console.error(text)
  process.exit(code)
}
