import type { LoggerOptions } from '../logger/types.ts'
import type { Exporter, OnFull } from '../pipeline/exporter.ts'
import { ownCopy } from '../options/own-members.ts'
import type { ExitOptions } from './destinations.ts'

/** The kind of program that a logger is for. */
export type Profile = NonNullable<LoggerOptions['profile']>

/** The defaults of options that a logger and its exporters do not set. */
export interface ProfileDefaults {
  /** When lines are written. */
  readonly schedule: NonNullable<Exporter['schedule']>
  readonly maxQueueBytes: number
  readonly onFull: OnFull
  /** The file descriptor of a logger without an exporter. */
  readonly fd: number
  readonly handleSignals: boolean
  readonly exitTimeoutMillis: number
  /** Whether a closed pipe reader is reported on stderr, which may be the same pipe. */
  readonly reportsReaderGone: boolean
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
    reportsReaderGone: true,
  },
  // The process is frozen between two calls, so nothing may be left for a later turn.
  lambda: {
    schedule: 'microtask',
    maxQueueBytes: 4 * mebibyte,
    onFull: 'block',
    fd: 1,
    handleSignals: false,
    exitTimeoutMillis: 200,
    reportsReaderGone: true,
  },
  // Standard output is reserved for the program's own output.
  cli: {
    schedule: 'sync',
    maxQueueBytes: mebibyte,
    onFull: 'block',
    fd: 2,
    handleSignals: true,
    exitTimeoutMillis: 2_000,
    reportsReaderGone: false,
  },
}

/** The names of the profiles. */
export const profileNames = Object.keys(profiles) as readonly Profile[]

/**
 * Returns the profile of the options, otherwise that of the environment, otherwise `service`. An invalid one is reported by the
 * check of the options.
 */
export function profileOf(given: unknown, environment: Profile | undefined): Profile {
  return profileNames.find((name) => name === given) ?? environment ?? 'service'
}

/** Returns the defaults of a profile. With `onDiagnostic`, a closed pipe reader is always reported. */
export function defaultsOf(name: Profile, onDiagnostic: unknown): ProfileDefaults {
  const defaults = profiles[name]
  return onDiagnostic === undefined ? defaults : { ...defaults, reportsReaderGone: true }
}

/** Returns the exit options, with the profile's defaults for those that are not set. */
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
 * Returns an exporter with the profile's defaults for options that it does not set. Only an exporter with `exportSync` can block,
 * and only its records may be delayed when the process is busy, because they do not need the event loop at exit.
 */
export function withDefaults(exporter: Exporter, profile: ProfileDefaults): Exporter {
  const { delivery } = exporter
  const limits = {
    maxQueueBytes: delivery.maxQueueBytes ?? profile.maxQueueBytes,
    onFull: delivery.onFull ?? (exporter.exportSync === undefined ? profiles.service : profile).onFull,
  }
  return ownCopy<Exporter>({
    ...exporter,
    schedule: exporter.schedule ?? scheduleOf(exporter, profile),
    delivery: ownCopy({ ...delivery, ...limits }),
  })
}

function scheduleOf({ exportSync, delivery }: Exporter, { schedule }: ProfileDefaults): Exporter['schedule'] {
  const isDelayed = typeof schedule === 'object'
  return isDelayed && (exportSync === undefined || delivery.scheduledDelayMillis === 0) ? 'turn' : schedule
}
