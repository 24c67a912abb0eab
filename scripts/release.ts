// Publishes the package: `npm run release`. With --dry-run, everything but the upload; other arguments are those of `npm publish`.
// The repository is named by PACKAGE_REPOSITORY, or by the variables of the CI system.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repositoryOf } from './release/repository.ts'
import { stagePackage } from './release/stage.ts'

const directory = join(import.meta.dirname, '../temp/package')

try {
  if (process.env['npm_lifecycle_event'] === 'prepublishOnly') refuseOtherWays()
  else release(process.argv.slice(2))
} catch (error) {
  console.error(`release: ${(error as Error).message}`)
  process.exitCode = 1
}

function release(args: readonly string[]): void {
  const repository = repositoryOf(process.env)
  if (repository === undefined && !args.includes('--dry-run')) {
    throw new Error('the repository is unknown; set PACKAGE_REPOSITORY to the HTTPS address of its page')
  }
  stagePackage(directory, repository)
  // `npm run --silent` would also hide the list of files and the size.
  const { status } = spawnSync('npm', ['publish', directory, '--loglevel', 'notice', ...args], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`npm publish exited with code ${status}`)
}

/** Rejects `npm publish` in the checkout, whose manifest does not name the repository. */
function refuseOtherWays(): void {
  if (process.env['npm_config_dry_run'] === 'true') return
  throw new Error('the manifest of the checkout does not name the repository; publish with `npm run release`')
}
