import { join } from 'node:path'
import { fdExporter, fileExporter, otlpExporter, processExporter, spool } from '../../src/entries/exporters.ts'
import type { Exporter, OnFull } from '../../src/entries/index.ts'
import type { Random } from './random.ts'

/** A destination of every application, and how its records are read. */
export interface Destination {
  readonly name: string
  /**
   * `file`: a file that is sometimes renamed. `rotated`: a file that the exporter renames. `collector`: a URL. `spool`: a URL where
   * records may arrive from a later process.
   */
  readonly sink: 'file' | 'rotated' | 'stdout' | 'collector' | 'spool'
  open(place: DestinationContext): Exporter
}

/** The location and options of a destination of an application. */
export interface DestinationContext {
  readonly path: string
  readonly url: string
  /** A directory that all processes of the application share. */
  readonly directory: string
  readonly variation: Variation
}

/** Options that differ between processes of an application. */
export interface Variation {
  readonly recordBytes: number
  readonly protocol: 'http/protobuf' | 'http/json'
  readonly compression: 'gzip' | 'none'
  readonly onFull: OnFull
  /** undefined: the default. */
  readonly sharedPipe: boolean | undefined
  /** Whether standard output is a socket instead of a pipe. */
  readonly socket: boolean
}

/** Chooses the options of a process. */
export function variationOf(random: Random): Variation {
  return {
    // Above 1 MiB, long strings are queued differently.
    recordBytes: random.pick([262_144, 262_144, 2_097_152]),
    protocol: random.pick(['http/protobuf', 'http/json']),
    compression: random.pick(['gzip', 'none']),
    onFull: random.pick(['dropLowest', 'dropLowest', 'dropNewest', 'dropOldest']),
    sharedPipe: random.pick([undefined, undefined, true, false]),
    socket: random.chance(0.3),
  }
}

const mebibyte = 1024 * 1024

/** The destinations of each application. */
export const destinations: readonly Destination[] = [
  {
    name: 'file',
    sink: 'file',
    open: ({ path, variation: { onFull } }) => fileExporter({ path, onFull, maxQueueBytes: 4 * mebibyte }),
  },
  {
    name: 'rotated',
    sink: 'rotated',
    open: ({ path, variation: { onFull } }) =>
      fileExporter({ path, onFull, maxQueueBytes: 4 * mebibyte, rotate: { size: mebibyte } }),
  },
  {
    name: 'process',
    sink: 'file',
    open: ({ path, variation: { onFull } }) => processExporter({ path, onFull, maxQueueBytes: 4 * mebibyte }),
  },
  {
    name: 'stdout',
    sink: 'stdout',
    open: ({ variation: { onFull, sharedPipe } }) =>
      fdExporter({
        format: 'json',
        onFull,
        ...(sharedPipe === undefined ? {} : { sharedPipe }),
        maxQueueBytes: 2 * mebibyte,
      }),
  },
  {
    name: 'otlp',
    sink: 'collector',
    open: ({ url, variation: { onFull, protocol, compression } }) =>
      otlpExporter({
        url,
        protocol,
        compression,
        onFull,
        level: 'info',
        scheduledDelayMillis: 200,
        maxQueueSize: 4_096,
        maxQueueBytes: 8 * mebibyte,
        timeoutMillis: 1_500,
        retry: { initialDelayMillis: 100, maxDelayMillis: 1_000, maxElapsedMillis: 6_000 },
      }),
  },
  {
    name: 'spool',
    sink: 'spool',
    open: ({ url, directory, variation: { onFull, compression } }) =>
      spool(
        otlpExporter({
          url,
          compression,
          onFull,
          level: 'info',
          scheduledDelayMillis: 200,
          maxQueueBytes: 8 * mebibyte,
          timeoutMillis: 1_500,
          retry: { initialDelayMillis: 100, maxDelayMillis: 1_000, maxElapsedMillis: 6_000 },
        }),
        { directory: join(directory, 'spool'), maxBytes: 256 * mebibyte },
      ),
  },
]
