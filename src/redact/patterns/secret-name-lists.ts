/**
 * The names whose values are secrets, in lower case and without `-`, `_` and `.`. A test compares the lists with the table in
 * docs/guides/redaction.md.
 */

/** Secret only as the whole name: a longer name that ends in one of these is too often something else. */
export const wholeNames: readonly string[] = [
  'aspnetsessionid',
  'auth',
  'authcode',
  'authorizationcode',
  'basicauth',
  'bearer',
  'clientassertion',
  'codeverifier',
  'connectsid',
  'csrf',
  'jsessionid',
  'mnemonic',
  'phpsessid',
  'sessionid',
  'sharedaccesssignature',
  'sig',
  'signature',
  'xamzcredential',
  'xamzsignature',
  'xgoogsignature',
  'xsrf',
]

/** Secret at the end of every name: `DB_PASSWORD`, `stripe.api-key`, `dbpassword`. */
export const nameEnds: readonly string[] = [
  'accesskey',
  'accesstokens',
  'accountkey',
  'apikey',
  'apikeys',
  'apitokens',
  'authkey',
  'authtokens',
  'connectionstring',
  'credential',
  'credentials',
  'encryptionkey',
  'masterkey',
  'otpcode',
  'passcode',
  'passphrase',
  'passwd',
  'password',
  'passwords',
  'privatekey',
  'privatekeys',
  'recoverycode',
  'recoverycodes',
  'refreshtokens',
  'secret',
  'secretkey',
  'secretkeybase',
  'secrets',
  'seedphrase',
  'serviceaccountkey',
  'sharedaccesskey',
  'signingkey',
  'sshkey',
  'token',
  'totpcode',
]

/** Secret as the last word of a name, where `_`, `-`, `.` or a capital letter begins the word: `SMTP_PASS`, `userPwd`. */
export const lastWords: readonly string[] = [
  'connstr',
  'creds',
  'cvc',
  'cvv',
  'dsn',
  'jwt',
  'otp',
  'pass',
  'pw',
  'pwd',
  'totp',
]

/** What is written in front of `pass`, `pwd` and `pw` without a separator: `SSHPASS`, `dbpwd`. */
export const passPrefixes: readonly string[] = (
  'admin auth db ftp http imap key ldap login mail mongo my mysql pg postgres proxy redis root smtp ' +
  'sql ssh store user wifi'
).split(' ')

/**
 * Words after a secret name that leave its value a secret, with any numbers: `DB_PASSWORD_PROD`, `passwordHash`, `API_TOKEN_V2`.
 * At most two.
 */
export const nameSuffixes: readonly string[] = (
  'admin b64 backup base64 confirm confirmation current default dev development encrypted hash ' +
  'hashed hex live local new old plain prev previous primary prod production qa raw root salt ' +
  'sandbox secondary stage staging str string test uat value'
).split(' ')

/** The word in front of `token` where it is no secret: a place in a list, part of a language model, a signal. */
export const harmlessTokens: readonly string[] = (
  'bos cancel cancellation cls continuation cursor end eos first last mask next pad page per prev ' +
  'previous resume sep start stop sync unexpected unk'
).split(' ')

/** The word in front of `pass` where it is a verb, a run or a place. */
export const harmlessPasses: readonly string[] =
  'all band boarding by depth first hall high last low multi one post pre render season second shadow single'.split(' ')
