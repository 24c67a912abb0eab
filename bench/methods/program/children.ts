import { readFileSync } from 'node:fs'

// proc_pid_stat(5): what follows the name, which may hold anything and ends with the last `)`.
const cutime = 13
const cstime = 14
/** A clock tick, in ms: USER_HZ is 100 wherever Node runs. */
const tickMillis = 10

/** CPU time, in ms, of all processes that this one has waited for, and of those that these have waited for. Linux only. */
export function cpuOfChildren(): number | undefined {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[cutime]) + Number(fields[cstime])) * tickMillis
  } catch {
    return undefined
  }
}
