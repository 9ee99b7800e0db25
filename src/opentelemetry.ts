export { openTelemetry, type OpenTelemetryOptions } from './server/telemetry/open-telemetry.js'
