import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChild, type ChildOptions, type ChildResult } from '../support/processes/child.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A temporary folder for test programs, with the built package and both lines of the API installed. */
export class Program {
  private readonly directory = mkdtempSync(join(realpathSync(tmpdir()), 'sluice-register-'))

  constructor() {
    mkdirSync(join(this.directory, 'node_modules/@opentelemetry'), { recursive: true })
    symlinkSync(root, join(this.directory, 'node_modules/sluice'), 'junction')
    for (const name of ['api', 'api-logs']) {
      const path = `node_modules/@opentelemetry/${name}`
      symlinkSync(join(root, path), join(this.directory, path), 'junction')
    }
  }

  /** Writes a file and returns its path. */
  write(name: string, text: string): string {
    const path = join(this.directory, name)
    writeFileSync(path, text)
    return path
  }

  /** Runs `node …flags file` with all `OTEL_` and `SLUICE_` variables emptied except those in `plan.env`. */
  run(
    flags: readonly string[],
    name: string,
    text: string,
    plan: Omit<ChildOptions, 'args'> = {},
  ): Promise<ChildResult> {
    const path = this.write(name, text)
    const unset = Object.keys(process.env).filter((variable) => /^(?:OTEL|SLUICE)_/.test(variable))
    const env = { ...Object.fromEntries(unset.map((variable) => [variable, ''])), ...plan.env }
    return runChild({ ...plan, env, args: [...flags, path], cwd: this.directory })
  }

  remove(): void {
    rmSync(this.directory, { recursive: true })
  }
}
