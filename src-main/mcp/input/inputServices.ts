import { InputLeases } from './InputLeases.ts';
import { InputService, type SendDeps } from './InputService.ts';
import { ResizeService } from './ResizeService.ts';

type Deps = Omit<SendDeps, 'leases'> & ConstructorParameters<typeof InputLeases>[0];

export interface InputServices {
  readonly leases: InputLeases;
  readonly send: InputService;
  readonly size: ResizeService;
}

/** Everything by which a client types. */
export function inputServices(deps: Deps): InputServices {
  const leases = new InputLeases(deps);
  return { leases, send: new InputService({ ...deps, leases }), size: new ResizeService({ ...deps, leases }) };
}
