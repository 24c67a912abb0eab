import { run } from './run.ts'

/** Builds a package of the module in `folder`, or of one that it requires, into the program `output`. */
export function goBuild(goPackage: string, output: string, folder: string): void {
  run('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', output, goPackage], {
    cwd: folder,
    env: { GOFLAGS: `${process.env.GOFLAGS ?? ''} -mod=mod`.trim(), CGO_ENABLED: '0' },
  })
}
