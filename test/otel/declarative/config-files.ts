import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError } from '../../../src/options/configuration-error.ts'

/** A temporary folder for configuration files. */
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

/** Returns a configuration with one processor, and with `more` at the top level. */
export function withProcessor(processor: string, more = ''): string {
  return `file_format: "1.0"\n${more}logger_provider:\n  processors:\n${processor.replace(/^/gm, '    ')}\n`
}

/** Returns the positions and messages of the errors that a function throws, without the folder. */
export function configurationErrorsOf(run: () => unknown, { directory }: ConfigFiles): string[] {
  try {
    run()
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.problems.map(({ path, message }) => `${path.replace(`${directory}/`, '')}: ${message}`)
  }
}
