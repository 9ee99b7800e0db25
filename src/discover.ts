export { discover } from './discovery/discover.js'
