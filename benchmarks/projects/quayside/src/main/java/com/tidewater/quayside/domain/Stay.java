package com.tidewater.quayside.domain;

import java.time.LocalDateTime;

public class Stay {
    private long id;
    private LocalDateTime arrivedAt;
    private LocalDateTime departedAt;

    public long getId() { return id; }
    public void setId(long id) { this.id = id; }
    public LocalDateTime getArrivedAt() { return arrivedAt; }
    public void setArrivedAt(LocalDateTime at) { this.arrivedAt = at; }
    public LocalDateTime getDepartedAt() { return departedAt; }
    public void setDepartedAt(LocalDateTime at) { this.departedAt = at; }
}
