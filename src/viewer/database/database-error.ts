/** An error of the database file, whose message says what to do. */
export class DatabaseError extends Error {}
