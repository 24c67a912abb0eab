/**
 * How many times as many random inputs as usual the tests check. The numbers in the tests suit a run for each change. `RUNS=10` checks ten
 * times as many, and adds the long rows of the fault matrix.
 */
export const runs: number = Number(process.env['RUNS'] ?? 1)
if (!(runs > 0)) throw new TypeError(`RUNS is '${process.env['RUNS']}'; use a number above 0`)
