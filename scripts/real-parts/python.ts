import { join } from 'node:path'
import { configurationOf, type Part } from './part.ts'
import { run } from './run.ts'

/** Reads OTLP by the classes that protobuf's own compiler makes of the OpenTelemetry definitions. */
export const decoder: Part = python('otlp-decoder', 'decoder.txt')

/** Takes OTLP from Kafka into a table of ClickHouse's engine, which runs inside the Python process. */
export const columnStore: Part = python('column-store', 'column-store.txt')

/** A Python with the packages that the file named `requirements` lists. */
function python(name: string, requirements: string): Part {
  return {
    name,
    configuration: requirements,
    madeBy: ['python3'],
    mainFile: join('bin', 'python'),
    make(folder) {
      run('python3', ['-m', 'venv', folder])
      // By its `python`, here and later: the programs beside it name the folder that they were made in.
      run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', '--requirement', configurationOf(this)])
    },
  }
}
