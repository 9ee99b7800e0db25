export { openTelemetry } from './server/telemetry/open-telemetry.js'
