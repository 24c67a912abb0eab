import { expect } from '@jest/globals'
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { needs } from '../support/needs.ts'

const dist = fileURLToPath(new URL('../../dist', import.meta.url))
const withBuild = needs('a build (npm run build)', existsSync(dist))

/**
 * Without these parts, the code had 2,708,934 bytes: the command line with `sluice/read`, and level control, the flight recorder, volume
 * handlers, lint rules, baggage and the diagnostics channel; `explainRedaction`; and the log viewer.
 */
const limit = 2_708_934 + 250_000 + 290_000 + 10_000 + 400_000

withBuild(
  'the command line adds at most 250 kB to the installed code, what controls records at run time 290 kB, explainRedaction 10 kB, and the log viewer 400 kB',
  () => {
    const sizes = globSync('**', { cwd: dist, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
    expect(sizes.length).toBeGreaterThan(100)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limit)
  },
)
