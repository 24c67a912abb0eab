import type { LoggerOptions } from '../logger/types.ts'
import type { Exporter, OnFull } from '../pipeline/exporter.ts'
import { ownCopy } from '../options/own-members.ts'
import type { ExitOptions } from './destinations.ts'

/** What kind of program a logger is for. */
export type Profile = NonNullable<LoggerOptions['profile']>

/** What holds where the options of a logger and of its exporters say nothing. */
export interface ProfileDefaults {
  /** When lines are written. */
  readonly schedule: NonNullable<Exporter['schedule']>
  readonly maxQueueBytes: number
  readonly onFull: OnFull
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
  service: {
    schedule: { delayMillis: 1, whenBusy: true },
    maxQueueBytes: 16 * mebibyte,
    onFull: 'dropLowest',
    fd: 1,
    handleSignals: true,
    exitTimeoutMillis: 2_000,
    tellsReaderGone: true,
  },
  // The process stands still between two calls: nothing may be left for a later turn.
  lambda: {
    schedule: 'microtask',
    maxQueueBytes: 4 * mebibyte,
    onFull: 'block',
    fd: 1,
    handleSignals: false,
    exitTimeoutMillis: 200,
    tellsReaderGone: true,
  },
  // The standard output belongs to what the program is for.
  cli: {
    schedule: 'sync',
    maxQueueBytes: mebibyte,
    onFull: 'block',
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

/** The defaults of a profile, for a logger that has somebody to tell trouble to, or has not. */
export function defaultsOf(name: Profile, onDiagnostic: unknown): ProfileDefaults {
  const defaults = profiles[name]
  return onDiagnostic === undefined ? defaults : { ...defaults, tellsReaderGone: true }
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

/**
 * An exporter with the defaults of a profile in place of what it leaves open. Only one that has `exportSync` can block, and only its
 * records may be delayed when the process is busy: they need no event loop at exit.
 */
export function withDefaults(exporter: Exporter, profile: ProfileDefaults): Exporter {
  const { delivery } = exporter
  const bounds = {
    maxQueueBytes: delivery.maxQueueBytes ?? profile.maxQueueBytes,
    onFull: delivery.onFull ?? (exporter.exportSync === undefined ? profiles.service : profile).onFull,
  }
  return ownCopy<Exporter>({
    ...exporter,
    schedule: exporter.schedule ?? scheduleOf(exporter, profile),
    delivery: ownCopy({ ...delivery, ...bounds }),
  })
}

function scheduleOf({ exportSync, delivery }: Exporter, { schedule }: ProfileDefaults): Exporter['schedule'] {
  const isDelayed = typeof schedule === 'object'
  return isDelayed && (exportSync === undefined || delivery.scheduledDelayMillis === 0) ? 'turn' : schedule
}
