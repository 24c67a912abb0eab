import { join } from 'node:path'
import { configurationOf, type Part } from './part.ts'
import { run } from './run.ts'

/** Decodes OTLP with the classes that the protobuf compiler generates from the OpenTelemetry definitions. */
export const decoder: Part = python('otlp-decoder', 'decoder.txt')

/** Reads OTLP from Kafka into a table of the ClickHouse engine, which runs in the Python process. */
export const columnStore: Part = python('column-store', 'column-store.txt')

/** Returns a Python environment with the packages in the file `requirements`. */
function python(name: string, requirements: string): Part {
  return {
    name,
    configuration: requirements,
    madeBy: ['python3'],
    mainFile: join('bin', 'python'),
    make(folder) {
      run('python3', ['-m', 'venv', folder])
      // Always run `python`, because the other programs of a venv contain the path of its original folder.
      run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', '--requirement', configurationOf(this)])
    },
  }
}
