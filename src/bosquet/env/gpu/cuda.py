"""NVIDIA's GPUs as devices, through cuda-core, which the extra `cuda` brings."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from bosquet.core.errors import BosquetError
from bosquet.core.system.extras import remedy
from bosquet.env.gpu.device import Content, Foreign
from bosquet.kernels.retarget import PTX
from bosquet.kernels.threads import Program

BLOCK = 32
"""Threads in a block. One warp: threads of different games go different ways, and more of them would wait longer."""
OLDEST_DRIVER = 12_000
"""The version of CUDA that a driver must know at least, as CUDA numbers it: 12.0."""
OLDEST_GPU = (7, 5)
"""The compute capability that a GPU must have at least: Turing."""
ELSEWHERE = 'device="cpu" plays the same games'


class CudaDevice:
    """A GPU, with the stream on which all work is done."""

    def __init__(self, number: int = 0, stream: Any = None) -> None:
        """Use a GPU by its number, and a stream: by default the legacy default stream, as PyTorch and CuPy do.

        `stream` is an object with `__cuda_stream__`, such as a `torch.cuda.Stream`. Raises BosquetError.
        """
        core = _core()
        with _refusals():
            found = core.Device.get_all_devices()
            if number >= len(found):
                raise BosquetError(f"there is no GPU {number}; the driver finds {len(found)}")
            self._device = found[number]
            self._device.set_current()
        capability = tuple(self._device.compute_capability)
        if capability < OLDEST_GPU:
            raise BosquetError(
                f"{self._device.name} has compute capability {'.'.join(map(str, capability))}; 7.5 (Turing, "
                "2018) or newer is needed"
            )
        self._number = number
        self._room = _memory(number)
        self._stream = core.LEGACY_DEFAULT_STREAM if stream is None else self._device.create_stream(stream)

    @property
    def name(self) -> str:
        """Return the name of the GPU."""
        return str(self._device.name)

    def allocate(self, size: int) -> Any:
        """Return memory, all zeros. Raises BosquetError if there is not enough."""
        self._device.set_current()
        memory = self._room.allocate(max(size, 1), stream=self._stream)
        memory.fill(0, stream=self._stream)
        return memory

    def pointer(self, memory: Any) -> int:
        """Return the address of memory."""
        return int(memory.handle)

    def write(self, memory: Any, content: Content) -> None:
        """Copy bytes to the beginning of memory."""
        if content.size:
            content = np.ascontiguousarray(content)
            source = _core().Buffer.from_handle(content.ctypes.data, content.nbytes, owner=content)
            target = _core().Buffer.from_handle(self.pointer(memory), content.nbytes, owner=memory)
            target.copy_from(source, stream=self._stream)
            self._stream.sync()

    def read(self, memory: Any) -> Content:
        """Return the bytes of memory, once all that was asked before is done."""
        content = np.empty(memory.size, np.uint8)
        if content.size:
            target = _core().Buffer.from_handle(content.ctypes.data, content.nbytes, owner=content)
            memory.copy_to(target, stream=self._stream)
        self._stream.sync()
        return content

    def copy(self, source: Any) -> Any:
        """Return new memory with the same content. Raises BosquetError if there is not enough."""
        made = self._room.allocate(source.size, stream=self._stream)
        made.copy_from(source, stream=self._stream)
        return made

    def load(self, program: Program) -> Any:
        """Return a program that can be launched. Raises BosquetError if the driver refuses it."""
        with _refusals():
            return _loaded(self._number, program)

    def launch(self, loaded: Any, threads: int, arguments: Sequence[int]) -> None:
        """Run a program in as many threads."""
        core = _core()
        self._device.set_current()
        config = core.LaunchConfig(grid=-(-threads // BLOCK), block=BLOCK)
        core.launch(self._stream, config, loaded, *map(np.int64, arguments))

    def view(self, memory: Any, offset: int, dtype: np.dtype[Any], shape: Sequence[int], strides: Sequence[int]) -> Any:
        """Return an object with `__dlpack__` and `__dlpack_device__` for an array in memory."""
        core, counts = _core(), tuple(stride // dtype.itemsize for stride in strides)
        part = core.Buffer.from_handle(self.pointer(memory) + offset, memory.size - offset, owner=memory)
        return core.utils.StridedMemoryView.from_buffer(part, tuple(shape), counts, dtype=dtype)

    def order(self, stream: Any) -> None:
        """Let a consumer's stream wait for all that was asked before."""
        if stream == -1:
            return
        core = _core()
        other = {None: core.LEGACY_DEFAULT_STREAM, 1: core.LEGACY_DEFAULT_STREAM, 2: core.PER_THREAD_DEFAULT_STREAM}
        consumer = other[stream] if stream in other else core.Stream.from_handle(int(stream))
        if consumer != self._stream:
            consumer.wait(self._stream)

    def stream(self) -> int:
        """Return the number of the stream for `__cuda_array_interface__`."""
        return int(self._stream.handle)

    def foreign(self, array: Any) -> Foreign | None:
        """Return an array of another library that lies on this GPU, after the work that makes it; else None."""
        if hasattr(array, "__dlpack_device__"):
            if array.__dlpack_device__()[0] == 1:
                return None
        elif not hasattr(array, "__cuda_array_interface__"):
            return None
        view = _core().utils.StridedMemoryView.from_any_interface(array, stream_ptr=int(self._stream.handle))
        dtype = np.dtype(view.dtype)
        counts = view.strides
        if counts is None:
            counts = [int(np.prod(view.shape[k + 1 :], dtype=int)) for k in range(len(view.shape))]
        return Foreign(view.ptr, tuple(view.shape), tuple(count * dtype.itemsize for count in counts), dtype, view)

    def synchronize(self) -> None:
        """Wait until all that was asked is done."""
        self._stream.sync()


@functools.cache
def _memory(number: int) -> Any:
    """Return what allocates the memory of a GPU: plainly, so that freeing waits for all that still uses it."""
    core, driver = _core(), _driver()

    class Memory(core.MemoryResource):  # type: ignore[misc, name-defined]
        """Memory of one GPU."""

        is_device_accessible = True
        is_host_accessible = False
        is_managed = False
        device_id = number

        def allocate(self, size: int, *, stream: Any = None) -> Any:
            """Return memory. Raises BosquetError if there is not enough."""
            status, address = driver.cuMemAlloc(size)
            if status == driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY:
                free, whole = driver.cuMemGetInfo()[1:]
                raise BosquetError(
                    f"the GPU has {free / 1e9:.1f} of {whole / 1e9:.1f} GB free, and {size / 1e9:.1f} GB more are "
                    "needed; take fewer games, or masks=False"
                )
            if status != driver.CUresult.CUDA_SUCCESS:
                raise BosquetError(f"the GPU gives no memory: {status.name}")
            return core.Buffer.from_handle(int(address), size, mr=self, stream=stream)

        def deallocate(self, ptr: Any, size: int, *, stream: Any = None) -> None:
            """Free memory."""
            core.Device(number).set_current()  # this may run in any thread
            driver.cuMemFree(int(ptr))

    return Memory()


@functools.cache
def _loaded(number: int, program: Program) -> Any:
    """Return a program on a GPU. Each is loaded once in a process."""
    code = _core().ObjectCode.from_ptx(program.code(PTX))
    return code.get_kernel(program.name)


@functools.cache
def _core() -> Any:
    """Return cuda-core, where there is a driver that it can use. Raises BosquetError."""
    try:
        status, version = _driver().cuDriverGetVersion()
    except RuntimeError:  # of a kind of its own
        raise BosquetError(f"there is no driver of NVIDIA on this machine, so no GPU; {ELSEWHERE}") from None
    if int(status) == 0 and version < OLDEST_DRIVER:
        raise BosquetError(
            f"the driver knows CUDA {version // 1000}.{version % 1000 // 10}; CUDA 12.0 or newer is needed (driver "
            "525.60 or newer)"
        )
    return importlib.import_module("cuda.core")


@functools.cache
def _driver() -> Any:
    """Return CUDA's interface to the driver. Raises BosquetError if a package is missing."""
    try:
        importlib.import_module("cuda.core.utils")
        return importlib.import_module("cuda.bindings.driver")
    except ImportError as error:
        raise BosquetError(f'device="cuda" needs the package cuda-core ({error}): {remedy("cuda")}') from None


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn what CUDA refuses into a BosquetError that says what would help."""
    try:
        yield
    except BosquetError:
        raise
    except Exception as error:  # of many kinds
        shown = str(error)
        for sign, meaning in REFUSALS.items():
            if sign in shown:
                raise BosquetError(f"{meaning} ({sign})") from None
        raise BosquetError(f"CUDA refuses: {shown}") from error


REFUSALS = {
    "NO_DEVICE": "the driver finds no GPU",
    "UNSUPPORTED_PTX_VERSION": "the driver is too old: CUDA 12.0 or newer is needed (driver 525.60 or newer)",
    "INVALID_PTX": "the driver refuses the code: a newer driver may help",
    "SYSTEM_DRIVER_MISMATCH": "the driver and its library have different versions: restart the machine",
    "SYSTEM_NOT_READY": "the GPU is not ready: its services are still starting",
}
"""Names of CUDA's errors, with what they mean for a user."""
