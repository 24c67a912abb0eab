import { openForAppending, type Descriptor } from '../../../src/exporters/fd/descriptor.ts'
import { FdWriter } from '../../../src/exporters/fd/fd-writer.ts'
import { FileFollower } from '../../../src/exporters/file/file-follower.ts'
import { Rotation } from '../../../src/exporters/rotation/rotation.ts'
import type { FileRotation } from '../../../src/exporters/rotation/rotation-options.ts'
import { recordingHost, type RecordingHost } from '../pipeline/exporter-host.ts'

/** Clocks that a test sets. */
export interface TestClocks {
  /** Ms since the Unix epoch. */
  wall: number
  /** Monotonic time in ms. */
  monotonic: number
}

/** Creates a writer of a file with the given clocks. `rotate` may be undefined or have smaller sizes than the public option. */
export function rotatingWriter(
  path: string,
  rotate: FileRotation | undefined,
  clocks: TestClocks,
  open: () => Descriptor = () => openForAppending(path, 0o644),
): FdWriter & { host: RecordingHost } {
  const host = recordingHost(() => clocks.monotonic)
  const writer = new FdWriter({
    name: `file:${path}`,
    open,
    createFollower(place) {
      const settings = { path, open, now: place.now, wallTime: () => clocks.wall, onRotated: () => {} }
      return new FileFollower({ path, open, ...place }, rotate && new Rotation({ ...settings, rotate }))
    },
  })
  writer.start(host)
  return Object.assign(writer, { host })
}
