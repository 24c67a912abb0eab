import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A certificate with its key, as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A certificate authority whose files openssl creates in a folder. */
export interface Authority {
  readonly ca: string
  readonly caFile: string
  /** Signs a certificate. `names`: such as `DNS:localhost`; `days`: negative for one that has expired. */
  issue(commonName: string, names?: string, days?: number): Certificate
  /** Creates a self-signed certificate. */
  selfSigned(commonName: string, names: string): Certificate
}

/** Whether this machine has openssl. */
export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'])
    return true
  } catch {
    return false
  }
}

/** Creates an authority whose files are in a folder. */
export function authorityIn(folder: string): Authority {
  const file = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  let issued = 0

  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=test authority', '-days', '2')
  return {
    ca: readFileSync(file('ca.pem'), 'utf8'),
    caFile: file('ca.pem'),
    issue(commonName, names = 'DNS:localhost,IP:127.0.0.1', days = 2) {
      const name = `cert-${++issued}`
      writeFileSync(file(`${name}.ext`), `subjectAltName=${names}\n`)
      openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${commonName}`)
      const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', `${days}`]
      openssl('x509', '-req', '-in', `${name}.csr`, ...signing, '-extfile', `${name}.ext`, '-out', `${name}.pem`)
      return { cert: readFileSync(file(`${name}.pem`), 'utf8'), key: readFileSync(file(`${name}.key`), 'utf8') }
    },
    selfSigned(commonName, names) {
      const out = ['-keyout', 'self.key', '-out', 'self.pem']
      openssl('req', '-x509', ...newKey, ...out, '-subj', `/CN=${commonName}`, '-addext', `subjectAltName=${names}`)
      return { cert: readFileSync(file('self.pem'), 'utf8'), key: readFileSync(file('self.key'), 'utf8') }
    },
  }
}
