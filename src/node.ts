export { listen, type Listening, type ListenOptions } from './adapters/listen.js'
