import type { LoggerOptions } from '../logger/types.ts'
import type { Exporter, OnFull } from '../pipeline/exporter.ts'
import { withoutPrototype } from '../options/own-members.ts'
import type { ExitOptions } from './destinations.ts'

/** The kind of program that a logger is for. */
export type Profile = NonNullable<LoggerOptions['profile']>

/** The defaults of options that a logger and its exporters do not set. */
export interface ProfileDefaults {
  /**
   * When batches are exported. With `whenBusy`, the delay applies only while many turns of the event loop log; otherwise batches are
   * exported at the end of the turn.
   */
  readonly schedule: NonNullable<Exporter['schedule']>
  readonly maxQueueBytes: number
  readonly onFull: OnFull
  /** The file descriptor of a logger without an exporter. */
  readonly fd: number
  readonly handleSignals: boolean
  readonly exitTimeoutMillis: number
  /** Whether diagnostics are still written to stderr after the reader of a pipe has closed. Stderr may be the same pipe. */
  readonly reportsAfterReaderClosed: boolean
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
    reportsAfterReaderClosed: true,
  },
  // The process is frozen between two invocations of the function, so no record may wait for a later turn of the event loop.
  lambda: {
    schedule: 'microtask',
    maxQueueBytes: 4 * mebibyte,
    onFull: 'block',
    fd: 1,
    handleSignals: false,
    exitTimeoutMillis: 200,
    reportsAfterReaderClosed: true,
  },
  // Standard output is reserved for the program's own output.
  cli: {
    schedule: 'sync',
    maxQueueBytes: mebibyte,
    onFull: 'block',
    fd: 2,
    handleSignals: true,
    exitTimeoutMillis: 2_000,
    reportsAfterReaderClosed: false,
  },
}

/** The names of the profiles. */
export const profileNames = Object.keys(profiles) as readonly Profile[]

/**
 * Returns the profile in the option `profile`, otherwise that of the environment, otherwise `service`. An invalid option is
 * reported by the check of the options.
 */
export function profileOf(option: unknown, environmentProfile: Profile | undefined): Profile {
  return profileNames.find((name) => name === option) ?? environmentProfile ?? 'service'
}

/**
 * Returns the defaults of a profile.
 *
 * @param hasOnDiagnostic - whether the option `onDiagnostic` is set; diagnostics are then also reported after the reader of a pipe has
 * closed
 */
export function defaultsOfProfile(
  name: Profile,
  { hasOnDiagnostic }: { readonly hasOnDiagnostic: boolean },
): ProfileDefaults {
  const defaults = profiles[name]
  return hasOnDiagnostic ? { ...defaults, reportsAfterReaderClosed: true } : defaults
}

/** Returns the exit options, with the profile's defaults for those that are not set. */
export function exitOptionsOf(
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
  const queueOptions = {
    maxQueueBytes: delivery.maxQueueBytes ?? profile.maxQueueBytes,
    onFull: delivery.onFull ?? (exporter.exportSync === undefined ? profiles.service : profile).onFull,
  }
  return withoutPrototype<Exporter>({
    ...exporter,
    schedule: exporter.schedule ?? defaultSchedule(exporter, profile),
    delivery: withoutPrototype({ ...delivery, ...queueOptions }),
  })
}

function defaultSchedule({ exportSync, delivery }: Exporter, { schedule }: ProfileDefaults): Exporter['schedule'] {
  const isDelayed = typeof schedule === 'object'
  return isDelayed && (exportSync === undefined || delivery.scheduledDelayMillis === 0) ? 'turn' : schedule
}
