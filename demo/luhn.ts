const ZERO = 48

/** Checks a card number by the Luhn algorithm: every second digit from the right counts double, and the sum ends in 0. */
export function passesLuhn(card: string): boolean {
  let sum = 0
  let double = false
  for (let i = card.length - 1; i >= 0; i--) {
    const digit = card.charCodeAt(i) - ZERO
    if (digit < 0 || digit > 9) return false
    const counted = double ? digit * 2 : digit
    sum += counted > 9 ? counted - 9 : counted
    double = !double
  }
  return card.length > 0 && sum % 10 === 0
}

export function withCheckDigit(digits: string): string {
  for (let check = 0; check < 9; check++) {
    if (passesLuhn(`${digits}${check}`)) return `${digits}${check}`
  }
  return `${digits}9`
}
