export { discover } from './declare/discovery/discover.js'
