import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError } from '../../../src/options/configuration-error.ts'

/** A folder for configuration files of tests. */
export class ConfigFiles {
  readonly directory = mkdtempSync(join(realpathSync(tmpdir()), 'sluice-config-'))

  /** Writes a file and returns its path. */
  write(text: string, name = 'otel.yaml'): string {
    const path = join(this.directory, name)
    writeFileSync(path, text)
    return path
  }

  remove(): void {
    rmSync(this.directory, { recursive: true })
  }
}

/** A file with one processor, and more at the top level. */
export function withProcessor(processor: string, more = ''): string {
  return `file_format: "1.0"\n${more}logger_provider:\n  processors:\n${processor.replace(/^/gm, '    ')}\n`
}

/** The places and messages of the problems that a function throws, without the folder; empty when it throws nothing. */
export function problemsOf(run: () => unknown, { directory }: ConfigFiles): string[] {
  try {
    run()
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.problems.map(({ path, message }) => `${path.replace(`${directory}/`, '')}: ${message}`)
  }
}
