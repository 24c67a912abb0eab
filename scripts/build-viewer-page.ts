import { rolldown } from 'rolldown'

const folder = 'src/viewer/page'

/** Returns the code of the viewer's page as one module. */
export async function viewerPageScript(): Promise<string> {
  const bundle = await rolldown({
    input: `${folder}/app.tsx`,
    platform: 'browser',
    tsconfig: `${folder}/tsconfig.json`,
    transform: { target: 'es2024', define: { 'process.env.NODE_ENV': '"production"' } },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
  await bundle.close()
  return output[0].code
}
