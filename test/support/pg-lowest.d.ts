/** The lowest version of pg that the package accepts, under another name. */
declare module 'pg-lowest' {
  export { Pool } from 'pg'
}
