import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { runChild } from './child.ts'

const daemon = '/lib/systemd/systemd-journald'
const place = ['--mount', '--fork', 'sh', '-c', 'mount -t tmpfs none /run']

/** Whether a separate journald can be started. */
export const canStartJournald: boolean =
  existsSync(daemon) && existsSync('/etc/machine-id') && spawnSync('unshare', place).status === 0

/** A journald with a journal in memory: it listens below a private /run and does not read the kernel log. */
const script = `
mount -t tmpfs none /run && mkdir -p /run/systemd/journal /run/systemd/journald.conf.d /run/log/journal
printf '[Journal]\\nStorage=volatile\\nAudit=no\\nReadKMsg=no\\nForwardToWall=no\\n' > /run/systemd/journald.conf.d/test.conf
${daemon} & daemon=$!
tries=0
until [ -S /run/systemd/journal/stdout ] || [ $tries -gt 500 ]; do tries=$((tries + 1)); sleep 0.02; done
eval "$COMMAND"
journalctl --sync
eval "$READ"
kill $daemon; wait $daemon
`

/**
 * Runs commands while a separate journald is running.
 *
 * @param command - writes entries
 * @param read - arguments of `journalctl`, for each time that the journal is read, by the name of a file in the directory
 */
export async function writeJournal(
  directory: string,
  command: string,
  read: Readonly<Record<string, string>>,
): Promise<void> {
  const reads = Object.entries(read).map(
    ([file, options]) => `journalctl --directory=/run/log/journal --all --no-pager ${options} > ${file}`,
  )
  const { stderr, code } = await runChild({
    command: 'unshare',
    args: ['--mount', '--fork', 'sh', '-c', script],
    cwd: directory,
    env: { COMMAND: command, READ: reads.join('\n'), TZ: 'UTC' },
    timeoutMillis: 40_000,
  })
  if (stderr.includes('No journal files') || code === null) throw new Error(`journald (exit code ${code}): ${stderr}`)
}
