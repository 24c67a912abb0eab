import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { repository } from '../source-files.ts'

const moduleName = 'virtual:playground-worker'

/**
 * A plugin of Vite that bundles the worker. Its code is the text that `virtual:playground-worker` exports, because the frame of the worker
 * can load no file.
 */
export const playgroundWorker = {
  name: 'playground-worker',
  resolveId: (id: string) => (id === moduleName ? `\0${moduleName}` : undefined),
  load: async (id: string) =>
    id === `\0${moduleName}` ? `export default ${JSON.stringify(await workerCode())}` : undefined,
}

/** Returns the code of the worker. */
export async function workerCode(): Promise<string> {
  const bundle = await rolldown({
    input: join(repository, 'docs/site/.vitepress/playground/worker/worker.ts'),
    platform: 'browser',
    transform: { target: 'es2024' },
  })
  // Names of functions and classes are part of records, such as the type of an error.
  const minify = { compress: true, mangle: { keepNames: { function: true, class: true } } }
  const { output } = await bundle.generate({ format: 'iife', minify, codeSplitting: false })
  await bundle.close()
  return output[0].code
}
