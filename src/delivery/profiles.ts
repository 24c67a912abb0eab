import type { LoggerOptions } from '../logger/types.ts'
import type { Delivery, Exporter } from '../pipeline/exporter.ts'
import type { ExitOptions } from './destinations.ts'

/** What kind of program a logger is for. */
export type Profile = NonNullable<LoggerOptions['profile']>

/** What holds where the options of a logger and of its exporters say nothing. */
export interface ProfileDefaults {
  /** When records are written, and how many wait. What is left out is the pipeline's own default. */
  readonly delivery: Pick<Exporter, 'schedule'> & Pick<Delivery, 'maxQueueBytes' | 'onFull'>
  /** The descriptor of a logger without an exporter. */
  readonly fd: number
  readonly handleSignals: boolean
  readonly exitTimeoutMillis: number
  /** A reader that has left is told on stderr, which may be the very pipe that it has left. */
  readonly tellsReaderGone: boolean
}

const mebibyte = 1024 * 1024

/** The defaults of each profile. */
export const profiles: Readonly<Record<Profile, ProfileDefaults>> = {
  // At the end of the turn, `dropLowest`, 16 MiB: what a pipeline does when nothing is said.
  service: { delivery: {}, fd: 1, handleSignals: true, exitTimeoutMillis: 2_000, tellsReaderGone: true },
  // The process stands still between two calls: nothing may be left for a later turn.
  lambda: {
    delivery: { schedule: 'microtask', maxQueueBytes: 4 * mebibyte, onFull: 'block' },
    fd: 1,
    handleSignals: false,
    exitTimeoutMillis: 200,
    tellsReaderGone: true,
  },
  // The standard output belongs to what the program is for.
  cli: {
    delivery: { schedule: 'sync', maxQueueBytes: mebibyte, onFull: 'block' },
    fd: 2,
    handleSignals: true,
    exitTimeoutMillis: 2_000,
    tellsReaderGone: false,
  },
}

/** The names of the profiles. */
export const profileNames = Object.keys(profiles) as readonly Profile[]

/** The profile that options ask for, else the one that the environment does. A wrong one is told by whoever checks options. */
export function profileOf(given: unknown, environment: Profile | undefined): Profile {
  return profileNames.find((name) => name === given) ?? environment ?? 'service'
}

/** How the process may end, where options say so, else as the profile does. */
export function exitOf(
  options: { readonly [K in keyof ExitOptions]?: ExitOptions[K] | undefined },
  profile: ProfileDefaults,
): ExitOptions {
  return {
    handleExit: options.handleExit ?? true,
    handleSignals: options.handleSignals ?? profile.handleSignals,
    exitTimeoutMillis: options.exitTimeoutMillis ?? profile.exitTimeoutMillis,
  }
}

/** An exporter with the defaults of a profile in place of what it leaves open. Only one that has `exportSync` can block. */
export function withDefaults(exporter: Exporter, defaults: ProfileDefaults['delivery']): Exporter {
  const { schedule, maxQueueBytes, onFull } = defaults
  const { delivery } = exporter
  const bounds: { [K in keyof Delivery]: Delivery[K] | undefined } = {
    maxQueueBytes: delivery.maxQueueBytes ?? maxQueueBytes,
    onFull: delivery.onFull ?? (exporter.exportSync === undefined ? undefined : onFull),
  }
  return Object.assign(Object.create(null) as Exporter, exporter, {
    schedule: exporter.schedule ?? schedule,
    delivery: Object.assign(Object.create(null) as Delivery, delivery, bounds),
  })
}
