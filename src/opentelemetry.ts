export { openTelemetry, type OpenTelemetryOptions } from './telemetry/open-telemetry.js'
