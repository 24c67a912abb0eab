import { openForAppending, type Descriptor } from '../../../src/exporters/fd/descriptor.ts'
import { FdWriter } from '../../../src/exporters/fd/fd-writer.ts'
import { FileFollower } from '../../../src/exporters/file/file-follower.ts'
import { Rotation } from '../../../src/exporters/rotation/rotation.ts'
import type { FileRotation } from '../../../src/exporters/rotation/rotation-options.ts'
import { recordingHost, type RecordingHost } from '../pipeline/exporter-host.ts'

/** Clocks that stand still until they are told otherwise. */
export interface Clocks {
  /** Ms since the Unix epoch. */
  wall: number
  /** Ms that never jump. */
  monotonic: number
}

/** A file's writer, whose clocks are handed in; `rotate` may ask for smaller files than users may, or for nothing. */
export function rotatingWriter(
  path: string,
  rotate: FileRotation | undefined,
  clocks: Clocks,
  open: () => Descriptor = () => openForAppending(path, 0o644),
): FdWriter & { host: RecordingHost } {
  const host = recordingHost(() => clocks.monotonic)
  const writer = new FdWriter({
    name: `file:${path}`,
    open,
    createFollower(place) {
      const settings = { path, open, now: place.now, wall: () => clocks.wall, turned: () => {} }
      return new FileFollower({ path, open, ...place }, rotate && new Rotation({ ...settings, rotate }))
    },
  })
  writer.start(host)
  return Object.assign(writer, { host })
}
