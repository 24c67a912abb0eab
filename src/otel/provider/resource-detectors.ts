import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import * as os from 'node:os'
import { join } from 'node:path'
import type { ResourceDetector } from './provider-resource.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
import { valueOf } from '../../platform/node/variables.ts'

/** The names of the built-in detectors, as used in `OTEL_NODE_RESOURCE_DETECTORS`. */
export type DetectorName = 'host' | 'os' | 'process' | 'serviceinstance'

/**
 * Creates a detector for attributes of the host, the operating system, the process or the service instance, with the same values as
 * the detectors of `@opentelemetry/resources`. It detects `process.command_args` only with `includesCommandArgs`, because arguments can
 * contain secrets.
 */
export function createBuiltInDetector(
  name: DetectorName,
  options: { readonly includesCommandArgs?: boolean } = {},
): ResourceDetector {
  const includesCommandArgs = member(options, 'includesCommandArgs') === true
  return {
    detect: () => ({ attributes: name === 'process' ? processAttributes(includesCommandArgs) : detectors[name]() }),
  }
}

const detectors = {
  host: () => ({ 'host.name': os.hostname(), 'host.arch': hostArch(os.arch()), 'host.id': machineId() }),
  os: () => ({ 'os.type': osType(os.platform()), 'os.version': os.release() }),
  serviceinstance: () => ({
    'service.instance.id': (instanceId ??= process.getBuiltinModule('node:crypto').randomUUID()),
  }),
} satisfies Record<Exclude<DetectorName, 'process'>, () => object>

/** The service instance ID of all providers of this process; undefined until it is needed. */
let instanceId: string | undefined

function processAttributes(includesCommandArgs: boolean): object {
  const [executable = '', command, ...args] = process.argv
  // With `--eval` and in a REPL, the first argument is not the path of the program.
  const hasProgramPath = command !== undefined && !Object.hasOwn(process, '_eval')
  return {
    'process.pid': process.pid,
    'process.executable.name': process.title,
    'process.executable.path': process.execPath,
    'process.runtime.version': process.versions.node,
    'process.runtime.name': 'nodejs',
    'process.runtime.description': 'Node.js',
    'process.owner': userName(),
    ...(hasProgramPath ? { 'process.command': command } : {}),
    ...(includesCommandArgs
      ? {
          'process.command_args': [
            executable,
            ...process.execArgv,
            ...(command === undefined ? [] : [command, ...args]),
          ],
        }
      : {}),
  }
}

function userName(): string | undefined {
  try {
    return os.userInfo().username
  } catch {
    return undefined // a user without an entry in the system's database
  }
}

function hostArch(arch: string): string {
  const names: Readonly<Record<string, string>> = { arm: 'arm32', ppc: 'ppc32', x64: 'amd64' }
  return member(names, arch) ?? arch
}

function osType(platform: string): string {
  return platform === 'sunos' ? 'solaris' : platform === 'win32' ? 'windows' : platform
}

/** Returns the machine ID if the system has one. Where a program must be run to read it, returns a promise. */
function machineId(): string | undefined | Promise<string | undefined> {
  switch (process.platform) {
    case 'linux':
      return contentOf('/etc/machine-id') ?? contentOf('/var/lib/dbus/machine-id')
    case 'freebsd':
      return contentOf('/etc/hostid') ?? outputMatch('kenv', ['-q', 'smbios.system.uuid'], /^\s*(\S+)\s*$/)
    case 'darwin':
      return outputMatch('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice'], /"IOPlatformUUID" = "([^"]+)"/)
    case 'win32': {
      const program = join(valueOf(process.env, 'SystemRoot') ?? 'C:\\Windows', 'System32', 'reg.exe')
      const key = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography'
      return outputMatch(program, ['query', key, '/v', 'MachineGuid', '/reg:64'], /REG_SZ\s+(\S+)/)
    }
    default:
      return undefined
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** Returns the first group of a pattern in a program's output; undefined if the program fails or takes longer than a second. */
function outputMatch(program: string, args: readonly string[], pattern: RegExp): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, withoutPrototype({ timeout: 1_000, windowsHide: true }), (error, stdout) =>
      resolve(error === null ? pattern.exec(stdout)?.[1] : undefined),
    ).unref()
  })
}
