# One image for every program of the server: `headgate serve | worker | sweep | gateway`.
# Build: docker build -t headgate .   Run: docker run --env-file headgate.env headgate serve
FROM python:3.12-slim-bookworm@sha256:782412e85d0f0984994c290652577d4018aff08145c85b262bb63dc0c7522254

RUN apt-get update \
    && apt-get install -y --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 999 --create-home --home-dir /var/lib/headgate headgate

WORKDIR /opt/headgate
COPY requirements.lock requirements-build.lock ./
RUN python -m pip install --no-cache-dir --require-hashes -r requirements.lock \
    && python -m pip install --no-cache-dir --require-hashes -r requirements-build.lock
COPY pyproject.toml README.md LICENSE ./
COPY bot ./bot
COPY action ./action
COPY gates ./gates
RUN python -m pip install --no-cache-dir --no-deps --no-build-isolation .

USER 999
ENV HEADGATE_VAR=/var/lib/headgate \
    HEADGATE_HOST=0.0.0.0 \
    PYTHONUNBUFFERED=1
VOLUME /var/lib/headgate
EXPOSE 8460 8461
ENTRYPOINT ["headgate"]
CMD ["serve"]
